/**
 * How full the disk of a node is, and what that comes to. Values only: who looks, and who acts on
 * it, is the business of the roles. Start with {@link io.parterre.disk.DiskMarks}.
 */
package io.parterre.disk;
