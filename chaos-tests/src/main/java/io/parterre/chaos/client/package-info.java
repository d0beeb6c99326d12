/**
 * A client without manners of its own: it signs, sends each call once, and says what came of it. It
 * never retries, because a checker must know which call was answered how; SDKs are the business of
 * {@code client-tests}. Keys are limited to characters that no layer escapes. All types are safe
 * for any thread. Start with {@link TableConnection}. {@link TestedService} is for suites that
 * bring a client of their own.
 */
package io.parterre.chaos.client;
