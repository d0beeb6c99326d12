/**
 * The command line of every role: reads what the operator asked for, wires the role and runs it.
 * The only package that prints to the terminal and ends the process. Contains no protocol, storage
 * or placement rules. Start with {@link io.parterre.deploy.Launcher}.
 */
package io.parterre.deploy;
