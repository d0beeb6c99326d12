/**
 * What commands share that are clients of a table service or a cluster. Start with {@link
 * io.parterre.deploy.client.ConnectionParts}.
 */
package io.parterre.deploy.client;
