/**
 * Moments at which the end of a process must do no harm, and the hook by which tests end a node
 * there. Each role has its own list of moments; without a test the hook is an empty call. Start
 * with {@link CrashHook}.
 */
package io.parterre.crash;
