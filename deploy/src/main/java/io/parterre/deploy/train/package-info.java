/**
 * {@code parterre train}: runs all roles in this process for a while, so that the virtual machine
 * can record what they load and how they run for later starts. {@link
 * io.parterre.deploy.train.TrainingCall} decides the calls and does no I/O. {@code bin/parterre}
 * and the virtual machine make the archive itself. Start with {@link
 * io.parterre.deploy.train.Training}.
 */
package io.parterre.deploy.train;
