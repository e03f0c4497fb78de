#!/usr/bin/env node
// Starts the program in the package of this platform, which npm chose among the optional dependencies of this one.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { isatty } = require("node:tty");

const name = `${require("../package.json").name}-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "rread.exe" : "rread";

function fail(message) {
  console.error(`rread: ${message}`);
  process.exit(3);
}

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  fail(`the package ${name} is not installed; install rread with optional dependencies, on a platform that has such a package`);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`${program} does not start: ${error.message}`));

// A terminal sends its signals to the program too; a signal to this process alone is passed on.
const ofTerminal = ["SIGINT", "SIGQUIT"];
for (const signal of [...ofTerminal, "SIGTERM", "SIGHUP"]) {
  if (!(signal in constants.signals)) continue;
  process.on(signal, () => {
    if (!(ofTerminal.includes(signal) && isatty(0))) child.kill(signal);
  });
}

child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
