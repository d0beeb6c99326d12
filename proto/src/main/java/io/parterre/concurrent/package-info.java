/** How all roles make threads. No thread is started here. Start with {@code DaemonThreads}. */
package io.parterre.concurrent;
