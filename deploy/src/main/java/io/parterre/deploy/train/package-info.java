/**
 * {@code parterre train}: all roles at work in this process for a while, so that the virtual
 * machine can keep what they load and how they run for later starts. {@link
 * io.parterre.deploy.train.TrainingCall} decides what is asked and does no I/O. The archive itself
 * is the business of {@code bin/parterre} and of the virtual machine. Start with {@link
 * io.parterre.deploy.train.Training}.
 */
package io.parterre.deploy.train;
