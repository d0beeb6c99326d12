/**
 * Differences between releases: feature levels, the features of each, and the refusal of data of a
 * newer release. Pure: no I/O. Start with {@link io.parterre.release.Feature}.
 */
package io.parterre.release;
