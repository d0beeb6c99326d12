/**
 * Configuration: the records that define what can be set, and how their values come from the file,
 * the environment and the command line. A key is the path of a record's component, such as {@code
 * server.store.blockCacheBytes}; nothing is listed twice. Reads text and checks it; opens no socket
 * and starts nothing. Start with {@link io.parterre.deploy.config.ParterreConfig} and {@link
 * io.parterre.deploy.config.ConfigReader}.
 */
package io.parterre.deploy.config;
