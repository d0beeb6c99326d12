/**
 * Who calls: signatures, tokens and what a credential permits. Pure: the time is an argument,
 * accounts and keys of issuers are what somebody else has read. Start with {@link
 * io.parterre.frontend.auth.Authenticator}; what came of it is an {@link
 * io.parterre.frontend.auth.Authentication}, what it permits an {@link
 * io.parterre.frontend.auth.Access}.
 */
package io.parterre.frontend.auth;
