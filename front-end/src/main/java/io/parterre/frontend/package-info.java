/**
 * The front end as a role: speaks the table protocol to clients and asks the cluster on their
 * behalf. This package only wires the parts: HTTP in {@code http}, the protocol in {@code service}
 * over the pure {@code table} and {@code auth}, the cluster in {@code client} over the pure {@code
 * route}. The packages {@code call} and {@code store} are the interfaces between them. Start with
 * {@link io.parterre.frontend.FrontEnd}.
 */
package io.parterre.frontend;
