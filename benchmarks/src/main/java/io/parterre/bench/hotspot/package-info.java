/**
 * A run in which ranges split, move their leads and merge by themselves under a load that is even,
 * then skewed, then gone: who asks what, what the managers decided meanwhile by their journal, and
 * what clients saw of it. Everything but {@link io.parterre.bench.hotspot.HotspotRun} and the calls
 * themselves is a function of values. Start with {@link io.parterre.bench.hotspot.HotspotRun}.
 */
package io.parterre.bench.hotspot;
