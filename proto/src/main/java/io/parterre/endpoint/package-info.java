/**
 * Selection of a partition manager to ask, for its callers: servers and front ends. Opens and
 * closes no connections. Start with {@link io.parterre.endpoint.ManagerEndpoints}.
 */
package io.parterre.endpoint;
