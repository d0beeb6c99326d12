/**
 * Authentication and authorization: signatures, tokens and what a credential permits. Pure: the
 * time is an argument, and the caller supplies accounts and the issuers' keys. Start with {@link
 * io.parterre.frontend.auth.Authenticator}. Its result is an {@link
 * io.parterre.frontend.auth.Authentication}; what that permits is an {@link
 * io.parterre.frontend.auth.Access}.
 */
package io.parterre.frontend.auth;
