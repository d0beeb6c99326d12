/**
 * HTTP/1.1 over Netty: from bytes to {@link io.parterre.frontend.call.HttpCall} and from {@link
 * io.parterre.frontend.call.HttpAnswer} to bytes, with every limit that keeps one client from
 * hurting the others. Knows nothing of tables or signatures, and of accounts only who pays.
 *
 * <p>Each connection belongs to one event loop, which runs everything here; handlers may complete
 * their answers on any thread. Invariants: answers leave in the order of their requests; the memory
 * of a request or an answer is counted from its first byte to its last, in one {@link
 * io.parterre.frontend.http.MemoryAccount}. Start with {@link
 * io.parterre.frontend.http.HttpServer}.
 */
package io.parterre.frontend.http;
