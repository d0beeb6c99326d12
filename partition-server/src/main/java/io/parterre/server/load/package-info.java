/**
 * Where a range would be cut. Pure: sizes and keys come from whoever asks. Start with {@link
 * io.parterre.server.load.CutSearch}.
 */
package io.parterre.server.load;
