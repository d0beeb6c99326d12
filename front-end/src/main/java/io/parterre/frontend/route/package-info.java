/**
 * Where a request goes, and what to do when it gets no answer. Pure: the map is a value, the time
 * left and the jitter are arguments; {@code client} sends. Invariant: a write that may have
 * happened is never answered as if it had not. Start with {@link io.parterre.frontend.route.Router}
 * and {@link io.parterre.frontend.route.RangeMap}.
 */
package io.parterre.frontend.route;
