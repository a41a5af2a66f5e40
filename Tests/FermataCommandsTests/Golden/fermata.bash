# bash completion for fermata
_fermata_playlists() (
  shopt -u failglob nullglob dotglob nocaseglob
  folder=${XDG_DATA_HOME-}
  [[ $folder == /* ]] || folder=${HOME-}/.local/share
  for file in "$folder"/'fermata/playlists'/*.{m3u8,m3u,pls,xspf}; do
    [[ -f $file ]] || continue
    rest=${file##*/}
    rest=${rest%.*}
    whole=$rest
    name=
    while [[ $rest == *%* ]]; do
      name+=${rest%%\%*}
      rest=${rest#*%}
      if [[ $rest == [[:xdigit:]][[:xdigit:]]* ]]; then
        printf -v byte "\\x${rest:0:2}"
        name+=$byte
        rest=${rest:2}
      else
        name+=%
      fi
    done
    name+=$rest
    [[ $name != *[[:cntrl:]]* ]] || continue
    printf -v quoted %q "$name"
    [[ $quoted != *\$\'* ]] || name=$whole
    printf '%s\n' "$name"
  done
)
_fermata_offer_kept() {
  local name quote= lead= at=$COMP_CWORD typed=${COMP_WORDS[COMP_CWORD]} front=${COMP_LINE:0:COMP_POINT}
  front=${front%"$typed"}
  if [[ $typed == [:=] ]]; then
    [[ ${COMP_WORDS[at-1]}$typed == --*= ]] || lead=$typed
    typed=
  fi
  while [[ ${COMP_WORDS[--at]} != --* && $front == *"${COMP_WORDS[at]}" ]]; do
    [[ ${COMP_WORDS[at-1]}${COMP_WORDS[at]} != --*= ]] || break
    lead=${COMP_WORDS[at]}$lead
    front=${front%"${COMP_WORDS[at]}"}
  done
  lead=${lead//\\/}
  case $typed in
    "'"*) quote="'" typed=${typed:1} ;;
    '"'*) quote='"' typed=${typed:1} ;;
  esac
  [[ $quote == "'" ]] || typed=${typed//\\/}
  typed=$lead$typed
  if [[ $scheme && $typed != "$scheme":* ]]; then
    if [[ $typed && $scheme: == "$typed"* ]]; then
      COMPREPLY+=("$scheme:")
      compopt -o nospace 2>/dev/null
    fi
    return
  fi
  if [[ $lead || $scheme ]]; then words= files=; fi
  while IFS= read -r name; do
    [[ $name ]] || continue
    name=${scheme:+$scheme:}$name
    [[ $name == "$typed"* && $name != "$lead" ]] || continue
    name=${name#"$lead"}
    case $quote in
      "'") name=${name//"'"/"'\\''"} ;;
      '"')
        name=${name//\\/\\\\}
        name=${name//'"'/'\"'}
        name=${name//'$'/'\$'}
        name=${name//'`'/'\`'} ;;
      *) printf -v name %q "$name" ;;
    esac
    COMPREPLY+=("$name")
  done <<<"$("$kept")"
}
_fermata() {
  local word path= current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$path $word" in
      ' prev') path=' previous' ;;
      ' play' | \
      ' pause' | \
      ' toggle' | \
      ' stop' | \
      ' sleep' | \
      ' next' | \
      ' previous' | \
      ' seek' | \
      ' volume' | \
      ' output' | \
      ' repeat' | \
      ' shuffle' | \
      ' consume' | \
      ' status' | \
      ' ui' | \
      ' art' | \
      ' add' | \
      ' queue' | \
      ' queue list' | \
      ' queue upcoming' | \
      ' queue jump' | \
      ' queue remove' | \
      ' queue move' | \
      ' queue sort' | \
      ' queue crop' | \
      ' queue clear' | \
      ' queue undo' | \
      ' queue redo' | \
      ' queue save' | \
      ' playlist' | \
      ' playlist list' | \
      ' playlist show' | \
      ' playlist save' | \
      ' playlist add' | \
      ' playlist remove' | \
      ' playlist smart' | \
      ' playlist rename' | \
      ' playlist delete' | \
      ' playlist restore' | \
      ' library' | \
      ' library status' | \
      ' library add' | \
      ' library remove' | \
      ' library scan' | \
      ' library analyze' | \
      ' library list' | \
      ' library albums' | \
      ' library artists' | \
      ' library songs' | \
      ' library genres' | \
      ' library composers' | \
      ' library compilations' | \
      ' library playlists' | \
      ' library podcasts' | \
      ' library audiobooks' | \
      ' library search' | \
      ' library query' | \
      ' library show' | \
      ' library rate' | \
      ' library note' | \
      ' library export' | \
      ' library import' | \
      ' jobs' | \
      ' jobs list' | \
      ' jobs cancel' | \
      ' jobs suspend' | \
      ' jobs resume' | \
      ' pads' | \
      ' pads list' | \
      ' pads load' | \
      ' pads hit' | \
      ' pads stop' | \
      ' pads volume' | \
      ' pads play' | \
      ' pads tap' | \
      ' agent' | \
      ' quit' | \
      ' events' | \
      ' settings' | \
      ' settings list' | \
      ' settings get' | \
      ' settings set' | \
      ' settings unset' | \
      ' doctor' | \
      ' version' | \
      ' help' | \
      ' help play' | \
      ' help pause' | \
      ' help toggle' | \
      ' help stop' | \
      ' help sleep' | \
      ' help next' | \
      ' help previous' | \
      ' help seek' | \
      ' help volume' | \
      ' help output' | \
      ' help repeat' | \
      ' help shuffle' | \
      ' help consume' | \
      ' help status' | \
      ' help ui' | \
      ' help art' | \
      ' help add' | \
      ' help queue' | \
      ' help queue list' | \
      ' help queue upcoming' | \
      ' help queue jump' | \
      ' help queue remove' | \
      ' help queue move' | \
      ' help queue sort' | \
      ' help queue crop' | \
      ' help queue clear' | \
      ' help queue undo' | \
      ' help queue redo' | \
      ' help queue save' | \
      ' help playlist' | \
      ' help playlist list' | \
      ' help playlist show' | \
      ' help playlist save' | \
      ' help playlist add' | \
      ' help playlist remove' | \
      ' help playlist smart' | \
      ' help playlist rename' | \
      ' help playlist delete' | \
      ' help playlist restore' | \
      ' help library' | \
      ' help library status' | \
      ' help library add' | \
      ' help library remove' | \
      ' help library scan' | \
      ' help library analyze' | \
      ' help library list' | \
      ' help library albums' | \
      ' help library artists' | \
      ' help library songs' | \
      ' help library genres' | \
      ' help library composers' | \
      ' help library compilations' | \
      ' help library playlists' | \
      ' help library podcasts' | \
      ' help library audiobooks' | \
      ' help library search' | \
      ' help library query' | \
      ' help library show' | \
      ' help library rate' | \
      ' help library note' | \
      ' help library export' | \
      ' help library import' | \
      ' help jobs' | \
      ' help jobs list' | \
      ' help jobs cancel' | \
      ' help jobs suspend' | \
      ' help jobs resume' | \
      ' help pads' | \
      ' help pads list' | \
      ' help pads load' | \
      ' help pads hit' | \
      ' help pads stop' | \
      ' help pads volume' | \
      ' help pads play' | \
      ' help pads tap' | \
      ' help agent' | \
      ' help quit' | \
      ' help events' | \
      ' help settings' | \
      ' help settings list' | \
      ' help settings get' | \
      ' help settings set' | \
      ' help settings unset' | \
      ' help doctor' | \
      ' help version' | \
      ' help help') path="$path $word" ;;
    esac
  done
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  local words= files= kept= scheme=
  case "$path $previous" in
    ' play --query') words='' ;;
    ' play --album') words='' ;;
    ' play --artist') words='' ;;
    ' seek --begin') words='forward backward' ;;
    ' status --format') words='' ;;
    ' status --interval') words='' ;;
    ' art --size') words='' ;;
    ' art --row') words='' ;;
    ' art --output' | ' art -o') words='' files=1 ;;
    ' add --at') words='' ;;
    ' add --query') words='' ;;
    ' add --album') words='' ;;
    ' add --artist') words='' ;;
    ' queue sort --rows') words='' ;;
    ' playlist add --query') words='' ;;
    ' playlist add --album') words='' ;;
    ' playlist add --artist') words='' ;;
    ' playlist smart --sort') words='' ;;
    ' playlist smart --limit') words='' ;;
    ' library list --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library list --sort') words='' ;;
    ' library list --limit') words='' ;;
    ' library albums --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library albums --sort') words='' ;;
    ' library albums --limit') words='' ;;
    ' library artists --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library artists --sort') words='' ;;
    ' library artists --limit') words='' ;;
    ' library songs --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library songs --sort') words='' ;;
    ' library songs --limit') words='' ;;
    ' library genres --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library genres --sort') words='' ;;
    ' library genres --limit') words='' ;;
    ' library composers --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library composers --sort') words='' ;;
    ' library composers --limit') words='' ;;
    ' library compilations --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library compilations --sort') words='' ;;
    ' library compilations --limit') words='' ;;
    ' library playlists --limit') words='' ;;
    ' library podcasts --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library podcasts --sort') words='' ;;
    ' library podcasts --limit') words='' ;;
    ' library audiobooks --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library audiobooks --sort') words='' ;;
    ' library audiobooks --limit') words='' ;;
    ' library search --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library search --sort') words='' ;;
    ' library search --limit') words='' ;;
    ' library query --group') words='title album artist albumArtist composer genre playlist podcast' ;;
    ' library query --sort') words='' ;;
    ' library query --limit') words='' ;;
    ' help --completions') words='bash zsh fish' ;;
    ' settings set repeat') words='none one all' ;;
    ' settings set shuffle') words='off songs albums' ;;
    ' settings set play-on-start') words='yes no' ;;
    ' settings set previous-restarts-after') words='' ;;
    ' settings set seek-tap-limit') words='' ;;
    ' settings set crossfade') words='' ;;
    ' settings set loudness') words='off track album auto' ;;
    ' settings set loudness-preamp') words='' ;;
    ' settings set prevent-clipping') words='yes no' ;;
    ' settings set tags-charset') words='iso-8859-1 iso-8859-2 iso-8859-7 iso-8859-9 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 koi8-r koi8-u tis-620 gbk gb18030 big5 shift_jis euc-jp euc-kr utf-8' ;;
    ' settings set jobs-on-battery') words='yes no' ;;
    ' settings set category') words='playback ambient solo' ;;
    ' settings set role-phone') words='pause duck ignore' ;;
    ' settings set role-a11y') words='pause duck ignore' ;;
    ' settings set role-event') words='pause duck ignore' ;;
    ' settings set role-notification') words='pause duck ignore' ;;
    ' settings set role-announcement') words='pause duck ignore' ;;
    ' settings set duck-level') words='' ;;
    ' settings set microphone') words='with-output always ignore' ;;
    ' settings set stall-limit') words='' ;;
    ' settings set resume-on-return') words='off' ;;
    ' settings set guard') words='on off' ;;
    ' settings set guard-except') words='none' ;;
    *)
      case "$path" in
        '') words='play pause toggle stop sleep next previous seek volume output repeat shuffle consume status ui art add queue playlist library jobs pads agent quit events settings doctor version help --help' ;;
        ' play') words='--here --join --no-resume --progress --random --shuffle --query --album --artist --help' files=1 kept=_fermata_playlists scheme=playlist ;;
        ' pause') words='--help' ;;
        ' toggle') words='--help' ;;
        ' stop') words='--after-current --help' ;;
        ' sleep') words='off --json --help' ;;
        ' next') words='--help' ;;
        ' previous') words='--help' ;;
        ' seek') words='--begin --end --help' ;;
        ' volume') words='mute unmute toggle --json --help' ;;
        ' output') words='list --json --help' ;;
        ' repeat') words='none off one all default --json --help' ;;
        ' shuffle') words='off on songs albums default --now --json --help' ;;
        ' consume') words='on off --json --help' ;;
        ' status') words='--json --format --follow --interval --help' ;;
        ' ui') words='--plain --help' ;;
        ' art') words='--size --row --output --json --help' ;;
        ' add') words='--next --at --play --query --album --artist --help' files=1 kept=_fermata_playlists scheme=playlist ;;
        ' queue') words='list upcoming jump remove move sort crop clear undo redo save --json --tags --help' ;;
        ' queue list') words='--json --tags --help' ;;
        ' queue upcoming') words='--json --help' ;;
        ' queue jump') words='--help' ;;
        ' queue remove') words='--help' ;;
        ' queue move') words='--help' ;;
        ' queue sort') words='title artist album albumArtist composer genre track disc date year duration bpm rating playCount lastPlayed added path --rows --json --help' ;;
        ' queue crop') words='--help' ;;
        ' queue clear') words='--help' ;;
        ' queue undo') words='--help' ;;
        ' queue redo') words='--help' ;;
        ' queue save') words='--replace --help' files=1 ;;
        ' playlist') words='list show save add remove smart rename delete restore --json --help' ;;
        ' playlist list') words='--json --help' ;;
        ' playlist show') words='--json --help' kept=_fermata_playlists ;;
        ' playlist save') words='--replace --help' kept=_fermata_playlists ;;
        ' playlist add') words='--query --album --artist --help' files=1 kept=_fermata_playlists kept=_fermata_playlists scheme=playlist ;;
        ' playlist remove') words='--help' kept=_fermata_playlists ;;
        ' playlist smart') words='--sort --limit --replace --help' kept=_fermata_playlists ;;
        ' playlist rename') words='--help' kept=_fermata_playlists ;;
        ' playlist delete') words='--help' kept=_fermata_playlists ;;
        ' playlist restore') words='--help' ;;
        ' library') words='status add remove scan analyze list albums artists songs genres composers compilations playlists podcasts audiobooks search query show rate note export import --json --help' ;;
        ' library status') words='--json --help' ;;
        ' library add') words='--wait --json --help' files=1 ;;
        ' library remove') words='--help' files=1 ;;
        ' library scan') words='--wait --json --help' files=1 ;;
        ' library analyze') words='--again --wait --json --help' ;;
        ' library list') words='--group --sort --limit --ids --json --help' ;;
        ' library albums') words='--group --sort --limit --ids --json --help' ;;
        ' library artists') words='--group --sort --limit --ids --json --help' ;;
        ' library songs') words='--group --sort --limit --ids --json --help' ;;
        ' library genres') words='--group --sort --limit --ids --json --help' ;;
        ' library composers') words='--group --sort --limit --ids --json --help' ;;
        ' library compilations') words='--group --sort --limit --ids --json --help' ;;
        ' library playlists') words='--limit --json --help' ;;
        ' library podcasts') words='--group --sort --limit --ids --json --help' ;;
        ' library audiobooks') words='--group --sort --limit --ids --json --help' ;;
        ' library search') words='--group --sort --limit --ids --json --help' ;;
        ' library query') words='--group --sort --limit --ids --json --help' ;;
        ' library show') words='--json --help' ;;
        ' library rate') words='--help' ;;
        ' library note') words='--json --help' ;;
        ' library export') words='--replace --json --help' files=1 ;;
        ' library import') words='--replace --json --help' files=1 ;;
        ' jobs') words='list cancel suspend resume --json --help' ;;
        ' jobs list') words='--json --help' ;;
        ' jobs cancel') words='--help' ;;
        ' jobs suspend') words='--help' ;;
        ' jobs resume') words='--help' ;;
        ' pads') words='list load hit stop volume play tap --json --help' ;;
        ' pads list') words='--json --help' ;;
        ' pads load') words='--json --help' files=1 ;;
        ' pads hit') words='--help' ;;
        ' pads stop') words='--help' ;;
        ' pads volume') words='--help' ;;
        ' pads play') words='--help' ;;
        ' pads tap') words='--help' ;;
        ' agent') words='--unless-running --verbose --guard-only --help' ;;
        ' quit') words='--help' ;;
        ' events') words='--json --help' ;;
        ' settings') words='list get set unset --json --help' ;;
        ' settings list') words='--json --help' ;;
        ' settings get') words='repeat shuffle play-on-start previous-restarts-after seek-tap-limit crossfade loudness loudness-preamp prevent-clipping tags-charset jobs-on-battery category role-phone role-a11y role-event role-notification role-announcement duck-level microphone stall-limit resume-on-return guard guard-except --json --help' ;;
        ' settings set') words='repeat shuffle play-on-start previous-restarts-after seek-tap-limit crossfade loudness loudness-preamp prevent-clipping tags-charset jobs-on-battery category role-phone role-a11y role-event role-notification role-announcement duck-level microphone stall-limit resume-on-return guard guard-except --help' ;;
        ' settings unset') words='repeat shuffle play-on-start previous-restarts-after seek-tap-limit crossfade loudness loudness-preamp prevent-clipping tags-charset jobs-on-battery category role-phone role-a11y role-event role-notification role-announcement duck-level microphone stall-limit resume-on-return guard guard-except --help' ;;
        ' doctor') words='--json --help' ;;
        ' version') words='--json --help' ;;
        ' help') words='play pause toggle stop sleep next previous seek volume output repeat shuffle consume status ui art add queue playlist library jobs pads agent quit events settings doctor version help --man --completions --help' ;;
        ' help queue') words='list upcoming jump remove move sort crop clear undo redo save' ;;
        ' help playlist') words='list show save add remove smart rename delete restore' ;;
        ' help library') words='status add remove scan analyze list albums artists songs genres composers compilations playlists podcasts audiobooks search query show rate note export import' ;;
        ' help jobs') words='list cancel suspend resume' ;;
        ' help pads') words='list load hit stop volume play tap' ;;
        ' help settings') words='list get set unset' ;;
      esac ;;
  esac
  if [[ $kept ]]; then _fermata_offer_kept; fi
  # Options are offered to who begins one. Where a value belongs, bash would else type the only one by itself.
  local fitting=()
  for word in $words; do
    if [[ $current == -* || $word != -* ]]; then fitting+=("$word"); fi
  done
  COMPREPLY+=($(compgen -W "${fitting[*]}" -- "$current"))
  if [[ $files && $current != -* ]]; then
    local found
    mapfile -t found <<<"$(compgen -f -- "$current")"
    if [[ ${found[0]} ]]; then
      compopt -o filenames 2>/dev/null
      COMPREPLY+=("${found[@]}")
    fi
  fi
}
complete -F _fermata fermata
