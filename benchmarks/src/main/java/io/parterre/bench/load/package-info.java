/**
 * A load generator for the table protocol: one thread, one selector, a few keep-alive connections
 * in a closed loop. It shares the machine with the measured server, so requests are assembled as
 * bytes and answers are parsed as bytes, without an HTTP library. Requests and the check of answers
 * are in {@code work}; a {@link io.parterre.bench.load.Recorder} receives the outcome. Start with
 * {@link io.parterre.bench.load.LoadLoop}.
 */
package io.parterre.bench.load;
