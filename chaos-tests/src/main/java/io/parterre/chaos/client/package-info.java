/**
 * A client without behaviour of its own: it signs, sends each call once, and returns the outcome.
 * It never retries, because a checker must know the answer to each call; SDKs are tested in {@code
 * client-tests}. Keys are limited to characters that no layer escapes. All types are thread-safe.
 * Start with {@link TableConnection}. {@link TestedService} is for suites with their own client.
 */
package io.parterre.chaos.client;
