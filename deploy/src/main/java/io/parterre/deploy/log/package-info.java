/**
 * Sets up the logging backend from the configuration. Everything is written to the error stream, so
 * that a command's output stays clean. Start with {@link io.parterre.deploy.log.Logging}.
 */
package io.parterre.deploy.log;
