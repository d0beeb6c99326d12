/**
 * The command line of every role: reads what the operator asked for, wires the role and runs it.
 * The only place that prints to the terminal and ends the process. No protocol, storage or
 * placement rule lives here. Start with {@link io.parterre.deploy.Launcher}.
 */
package io.parterre.deploy;
