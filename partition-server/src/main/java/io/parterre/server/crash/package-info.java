/**
 * The moments of a partition server at which its end must do no harm. A list and nothing else: the
 * seam that is told of them is {@link io.parterre.crash.CrashHook}.
 */
package io.parterre.server.crash;
