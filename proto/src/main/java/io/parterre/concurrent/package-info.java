/**
 * Threads and delayed tasks of all roles. No thread is started here. Start with {@code
 * DaemonThreads} and {@code Alarm}.
 */
package io.parterre.concurrent;
