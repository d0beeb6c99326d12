/**
 * Checks for problems of a machine, a folder and a cluster. Checks are pure: they judge what was
 * read, and explain it to operators. {@link io.parterre.deploy.doctor.Machine} reads.
 */
package io.parterre.deploy.doctor;
