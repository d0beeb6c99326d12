/**
 * The one ordered key space and its codec: the only place that knows the order in which clients see
 * entities. Values only: immutable, safe for any thread, no I/O. Start with {@link
 * io.parterre.key.KeyCodec}.
 */
package io.parterre.key;
