// SPDX-License-Identifier: MIT
import Testing

@Suite("Banned task forms")
struct TaskRulesTests {
  @Test(
    "each banned form is found, however it is spaced",
    arguments: [
      "Task { work() }", "Task{ work() }", "Task\n{ work() }", "Task(priority: .high) { work() }",
      "Task() { }",
      "Task<Void, Never> { work() }", "Task<Result<Int, any Error>, Never>(priority: .low) { }",
      "Task.init { work() }", "f(task: Task<Void, Never> { })",
      "let f = { () -> Int in Task { }; return 1 }", "Task.detached { work() }", "Task . detached { work() }",
      "Task.immediate { work() }", "try await Task.sleep(for: .seconds(1))", "@MainActor func run() {}",
      "await MainActor.run {}", "let text = \"\\(Task { 1 })\"",
      "await #expect(processExitsWith: .success) {}",
      "let failure = unsafe pthread_create(&thread, nil, run, nil)",
    ])
  func found(text: String) {
    #expect(TaskRules.violations(in: Sample(text).file).count == 1)
  }

  @Test(
    "comments, strings and the forms of the house are not",
    arguments: [
      "// Task { work() }", "/* Task.detached { /* Task { } */ } */", "let text = \"Task { @MainActor in }\"",
      "let text = #\"a \" Task.sleep(1) \"#", "let text = \"\"\"\n  Task { \"quoted\" }\n  \"\"\"",
      "let text = \"a quote \\\" Task { }\"", "let text = #\"not \\(Task { 1 })\"#",
      "Task(executorPreference: AgentLoop.executor) { @AgentLoop in work() }",
      "Task<Void, Never>(executorPreference: executor) { }", "let task: Task<Void, Never>",
      "MyTask { work() }",
      "Task.isCancelled", "await Task.yield()", "let mainActor = MainActorish.self",
    ])
  func overlooked(text: String) {
    #expect(TaskRules.violations(in: Sample(text).file).isEmpty)
  }

  @Test("the examples are other people's programs")
  func examples() {
    #expect(
      TaskRules.violations(in: Sample("Task { work() }", in: "docs/examples/A/main.swift").file).isEmpty)
  }

  @Test("a breach is named by its line")
  func line() {
    let file = Sample("// one\n\"\"\"\n  two\n  \"\"\"\n/* five\n */ Task { }").file
    #expect(TaskRules.violations(in: file).map(\.line) == [6])
  }

  @Test(
    "a sleep in a test is found",
    arguments: [
      "sleep(1)", "Glibc.sleep(1)", "usleep(20)", "nanosleep(&time, nil)", "clock_nanosleep(0, 0, &t, nil)",
    ])
  func sleeps(text: String) {
    #expect(TaskRules.sleeps(in: Sample(text, in: "Tests/BusIOTests/Sample.swift").file).count == 1)
    #expect(TaskRules.sleeps(in: Sample(text, in: "Tests/FermataTestKit/Sample.swift").file).count == 1)
    #expect(TaskRules.sleeps(in: Sample(text, in: "Sources/BusIO/Sample.swift").file).isEmpty)
  }

  @Test(
    "the machine's sleep, and words about it, are none",
    arguments: [
      "event == .sleep", "case sleep(Int)", "func sleep() {}", "prepareForSleep(1)", "// sleep(1)",
      "\"sleep(1)\"",
    ])
  func noSleeps(text: String) {
    #expect(TaskRules.sleeps(in: Sample(text, in: "Tests/BusIOTests/Sample.swift").file).isEmpty)
  }
}
