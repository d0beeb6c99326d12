package io.parterre.manager.plan.request;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.AccountOrigin;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.reason.ReasonCode;
import java.util.List;
import java.util.function.Function;

/** Judges operators' requests about accounts. Stateless and thread-safe. */
public final class AccountRequests {
    private AccountRequests() {}

    public static Verdict create(ClusterMap map, AccountName name, AccountKey key) {
        return map.account(name).isPresent()
                ? new Verdict.Refuse(ReasonCode.ACCOUNT_EXISTS.of(name))
                : Verdict.Do.command(
                        new MapCommand.CreateAccount(name, List.of(key)),
                        ReasonCode.ACCOUNT_IS_MADE.of(name));
    }

    /**
     * Judges a request for another key.
     *
     * @param number 1 or 2
     * @param configured whether accounts come from the managers' configuration
     */
    public static Verdict rotateKey(
            ClusterMap map, AccountName name, int number, AccountKey key, boolean configured) {
        if (number < 1 || number > ClusterAccount.KEYS_MAX) {
            return new Verdict.Invalid(
                    ReasonCode.KEY_NUMBER.of(
                            Integer.toUnsignedString(number), ClusterAccount.KEYS_MAX));
        }
        return onAccount(
                map,
                name,
                configured,
                account ->
                        Verdict.Do.command(
                                new MapCommand.RotateKey(name, number, key),
                                ReasonCode.KEY_IS_ROTATED.of(number, name)));
    }

    public static Verdict suspend(
            ClusterMap map, AccountName name, boolean suspended, boolean configured) {
        return onAccount(
                map,
                name,
                configured,
                account ->
                        account.suspended() == suspended
                                ? Verdict.Do.nothing(
                                        (suspended
                                                        ? ReasonCode.ACCOUNT_IS_SUSPENDED_ALREADY
                                                        : ReasonCode.ACCOUNT_IS_NOT_SUSPENDED)
                                                .of(name))
                                : Verdict.Do.command(
                                        new MapCommand.SuspendAccount(name, suspended),
                                        (suspended
                                                        ? ReasonCode.ACCOUNT_IS_SUSPENDED
                                                        : ReasonCode.ACCOUNT_IS_RESUMED)
                                                .of(name)));
    }

    private static Verdict onAccount(
            ClusterMap map,
            AccountName name,
            boolean configured,
            Function<ClusterAccount, Verdict> judge) {
        if (map.account(name).isEmpty()) {
            return new Verdict.NotFound(ReasonCode.ACCOUNT_UNKNOWN.of(name));
        }
        ClusterAccount account = map.account(name).get();
        if (configured && account.origin() == AccountOrigin.CONFIGURED) {
            return new Verdict.Refuse(ReasonCode.ACCOUNT_IS_CONFIGURED.of(name));
        }
        return judge.apply(account);
    }
}
