/**
 * Who calls: signature checks and what a credential permits. Pure: the time is an argument. Start
 * with {@link io.parterre.frontend.auth.AccountDirectory} and the authenticator.
 */
package io.parterre.frontend.auth;
