/**
 * Moments at which the end of a process must do no harm, and the seam by which tests end a node
 * there. Which moments there are is each role's own list; off, the seam is an empty call. Start
 * with {@link CrashHook}.
 */
package io.parterre.crash;
