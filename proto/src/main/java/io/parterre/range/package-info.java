/**
 * Identities and descriptors of ranges, replicas and nodes, as all roles name them. Values only:
 * immutable, safe for any thread, no I/O. Start with {@link io.parterre.range.RangeDescriptor}.
 */
package io.parterre.range;
