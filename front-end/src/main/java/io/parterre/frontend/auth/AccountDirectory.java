package io.parterre.frontend.auth;

import java.util.Optional;

/** The accounts of the cluster by name. Returns what was last watched and never blocks. */
public interface AccountDirectory {
    Optional<Account> find(String name);

    /** Returns how far the accounts are trusted now. */
    default AccountsTrust trust() {
        return AccountsTrust.CURRENT;
    }
}
