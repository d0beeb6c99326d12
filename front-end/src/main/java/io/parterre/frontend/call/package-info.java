/**
 * One HTTP call and its answer as values, so that everything between socket and cluster is pure and
 * can be tested with text. No I/O. Start with {@link io.parterre.frontend.call.HttpHandler}.
 */
package io.parterre.frontend.call;
