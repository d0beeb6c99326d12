/**
 * The moments of a partition server at which its end must do no harm. Only a list: {@link
 * io.parterre.crash.CrashHook} is notified of them.
 */
package io.parterre.server.crash;
