/**
 * Sets up the logging backend from the configuration. Everything goes to the error stream, so that
 * what a command prints stays clean. Start with {@link io.parterre.deploy.log.Logging}.
 */
package io.parterre.deploy.log;
