/**
 * A run in which ranges split, move their leadership and merge automatically under a load that is
 * even, then skewed, then gone: the calls of the clients, the managers' decisions from their
 * journal, and the effect on clients. Everything except {@link
 * io.parterre.bench.hotspot.HotspotRun} and the calls themselves is a function of values. Start
 * with {@link io.parterre.bench.hotspot.HotspotRun}.
 */
package io.parterre.bench.hotspot;
