/**
 * What may be wrong with a machine, a folder and a cluster. Checks are pure: they judge what was
 * read, and say it in words for operators. {@link io.parterre.deploy.doctor.Machine} reads.
 */
package io.parterre.deploy.doctor;
