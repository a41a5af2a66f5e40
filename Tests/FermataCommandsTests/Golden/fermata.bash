# bash completion for fermata
_fermata() {
  local word path= current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ' play' | \
      ' pause' | \
      ' toggle' | \
      ' stop' | \
      ' next' | \
      ' previous' | \
      ' seek' | \
      ' volume' | \
      ' repeat' | \
      ' shuffle' | \
      ' status' | \
      ' art' | \
      ' add' | \
      ' queue' | \
      ' queue list' | \
      ' queue jump' | \
      ' queue remove' | \
      ' queue move' | \
      ' queue clear' | \
      ' queue undo' | \
      ' queue redo' | \
      ' queue save' | \
      ' playlist' | \
      ' playlist list' | \
      ' playlist show' | \
      ' playlist save' | \
      ' playlist delete' | \
      ' agent' | \
      ' events' | \
      ' settings' | \
      ' settings list' | \
      ' settings get' | \
      ' settings set' | \
      ' settings unset' | \
      ' doctor' | \
      ' version' | \
      ' help') path="$path $word" ;;
    esac
  done
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  local words= files=
  case "$path $previous" in
    ' seek --begin') words='forward backward' ;;
    ' status --format') words='' ;;
    ' art --size') words='' ;;
    ' art --output' | ' art -o') words='' files=1 ;;
    ' add --at') words='' ;;
    ' help --completions') words='bash zsh fish' ;;
    *)
      case "$path" in
        '') words='play pause toggle stop next previous seek volume repeat shuffle status art add queue playlist agent events settings doctor version help --help' ;;
        ' play') words='--here --no-resume --progress --random --shuffle --help' files=1 ;;
        ' pause') words='--help' ;;
        ' toggle') words='--help' ;;
        ' stop') words='--help' ;;
        ' next') words='--help' ;;
        ' previous') words='--help' ;;
        ' seek') words='--begin --end --help' ;;
        ' volume') words='--json --help' ;;
        ' repeat') words='none one all default --json --help' ;;
        ' shuffle') words='off songs albums default --json --help' ;;
        ' status') words='--json --format --follow --help' ;;
        ' art') words='--size --output --json --help' ;;
        ' add') words='--next --at --help' files=1 ;;
        ' queue') words='list jump remove move clear undo redo save --json --help' ;;
        ' queue list') words='--json --help' ;;
        ' queue jump') words='--help' ;;
        ' queue remove') words='--help' ;;
        ' queue move') words='--help' ;;
        ' queue clear') words='--help' ;;
        ' queue undo') words='--help' ;;
        ' queue redo') words='--help' ;;
        ' queue save') words='--help' files=1 ;;
        ' playlist') words='list show save delete --json --help' ;;
        ' playlist list') words='--json --help' ;;
        ' playlist show') words='--json --help' ;;
        ' playlist save') words='--help' ;;
        ' playlist delete') words='--help' ;;
        ' agent') words='--unless-running --verbose --help' ;;
        ' events') words='--json --help' ;;
        ' settings') words='list get set unset --json --help' ;;
        ' settings list') words='--json --help' ;;
        ' settings get') words='repeat shuffle play-on-start previous-restarts-after seek-tap-limit loudness loudness-preamp prevent-clipping role-phone role-a11y role-event role-notification role-announcement duck-level microphone stall-limit resume-on-return --json --help' ;;
        ' settings set') words='repeat shuffle play-on-start previous-restarts-after seek-tap-limit loudness loudness-preamp prevent-clipping role-phone role-a11y role-event role-notification role-announcement duck-level microphone stall-limit resume-on-return --help' ;;
        ' settings unset') words='repeat shuffle play-on-start previous-restarts-after seek-tap-limit loudness loudness-preamp prevent-clipping role-phone role-a11y role-event role-notification role-announcement duck-level microphone stall-limit resume-on-return --help' ;;
        ' doctor') words='--json --help' ;;
        ' version') words='--json --help' ;;
        ' help') words='play pause toggle stop next previous seek volume repeat shuffle status art add queue playlist agent events settings doctor version help --man --completions --help' ;;
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ $files && $current != -* ]]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -F _fermata fermata
