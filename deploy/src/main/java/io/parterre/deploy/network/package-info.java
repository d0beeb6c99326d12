/**
 * How roles connect to each other: over the network, or within one process. Knows addresses,
 * channels and servers, and nothing of the messages. Start with {@link
 * io.parterre.deploy.network.Transport}.
 */
package io.parterre.deploy.network;
