/**
 * Threads and delayed tasks of all roles, and how stages failed. No thread is started here. Start
 * with {@code DaemonThreads} and {@code Alarm}.
 */
package io.parterre.concurrent;
