/**
 * Use of a node's disk, and its levels. Values only: the roles measure the disk and act on the
 * levels. Start with {@link io.parterre.disk.DiskMarks}.
 */
package io.parterre.disk;
