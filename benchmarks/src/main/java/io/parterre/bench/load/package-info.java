/**
 * A load generator for the table protocol: one thread, one selector, a few keep-alive connections
 * in a closed loop. It shares the machine with the server it measures, so requests are assembled as
 * bytes and answers are read as bytes, with no HTTP library between. What is asked and what a good
 * answer is belongs to {@code work}; a {@link io.parterre.bench.load.Recorder} hears the outcome.
 * Start with {@link io.parterre.bench.load.LoadLoop}.
 */
package io.parterre.bench.load;
