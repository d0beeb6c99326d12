package io.parterre.frontend.auth;

import java.util.Optional;

/** The accounts of the cluster by name; reads what was last watched and never blocks. */
public interface AccountDirectory {
    Optional<Account> find(String name);

    /** How far they are to be trusted now. */
    default AccountsTrust trust() {
        return AccountsTrust.CURRENT;
    }
}
