/**
 * How all roles make threads and have themselves called back later. No thread is started here.
 * Start with {@code DaemonThreads} and {@code Alarm}.
 */
package io.parterre.concurrent;
