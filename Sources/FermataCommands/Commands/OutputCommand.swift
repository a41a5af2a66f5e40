// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel

/// `fermata output`.
struct OutputCommand: Command {
  /// The output to move the sound to, in the user's words; nil to list the outputs.
  let name: String?
  let json: Bool

  private static let list = "list"
  private static let name = ArgumentDefinition(
    ValueDefinition("NAME", completion: .suggestions([.init(list, "List the outputs")])), .optional,
    summary: "An output's name, its description, or a part of either that no other has")

  static let definition = CommandDefinition(
    "output", summary: "Show the outputs, or let the sound go to another",
    discussion: [
      """
      It moves fermata's own stream, as a mixer does: what plays goes on there, and other programs stay where they are. The next \
      tracks follow, until the stream is moved elsewhere or the output goes.
      """
    ],
    usage: ["[list | NAME]"], arguments: [name], options: [.json],
    examples: [("fermata output hdmi", "Play on the output that has it in its name")], read: Self.init)

  init(_ parsed: ParsedCommand) {
    let word = parsed.value(Self.name)
    name = word == Self.list ? nil : word
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      if let wanted = self.name {
        try await agent.set(output: wanted)
        if !json { return }
      }
      let outputs = try await agent.outputs()
      try Printer.write(Self.json(outputs), if: json) { Self.lines(outputs, width: $0) }
    }
  }

  private static func json(_ outputs: [OutputFace]) -> JSONValue {
    .object([.init("outputs", .array(outputs.compactMap { JSONValue(wire: $0.wireValue) }))])
  }

  /// The outputs, one a line; the current one is marked.
  static func lines(_ outputs: [OutputFace], width: Int?) -> [StyledText] {
    guard !outputs.isEmpty else { return [StyledText("There is no output.")] }
    var table = Table([
      .init(), .init(flexible: true), .init(flexible: true, optional: true), .init(flexible: true),
    ])
    for output in outputs {
      let (route, style) = (output.route, output.isCurrent ? Style.bold : .plain)
      table.append([
        StyledText(output.isCurrent ? "*" : " "), .outside(route.description, style),
        .outside(route.portDescription ?? route.port ?? "", style), .outside(route.sink, .dim),
      ])
    }
    return table.lines(width: width)
  }
}
