/**
 * Which of several processes to ask: what servers and front ends share as callers of the partition
 * managers. Opens and closes no connections. Start with {@link
 * io.parterre.endpoint.ManagerEndpoints}.
 */
package io.parterre.endpoint;
