package io.parterre.manager.plan.request;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.AccountOrigin;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Refusal;
import java.util.List;
import java.util.function.Function;

/** Judges what operators ask about accounts. Stateless; safe for any thread. */
public final class AccountRequests {
    private AccountRequests() {}

    public static Verdict create(ClusterMap map, AccountName name, AccountKey key) {
        return map.account(name).isPresent()
                ? new Verdict.Refuse(Refusal.of(Refusal.Code.ACCOUNT_EXISTS, name))
                : Verdict.Do.command(
                        new MapCommand.CreateAccount(name, List.of(key)),
                        "account " + name + " is made");
    }

    /**
     * Another key.
     *
     * @param number 1 or 2
     * @param configured whether managers are told their accounts by configuration
     */
    public static Verdict rotateKey(
            ClusterMap map, AccountName name, int number, AccountKey key, boolean configured) {
        if (number < 1 || number > ClusterAccount.KEYS_MAX) {
            return new Verdict.Invalid(
                    Refusal.of(
                            Refusal.Code.KEY_NUMBER,
                            Integer.toUnsignedString(number),
                            ClusterAccount.KEYS_MAX));
        }
        return onAccount(
                map,
                name,
                configured,
                account ->
                        Verdict.Do.command(
                                new MapCommand.RotateKey(name, number, key),
                                "key " + number + " of account " + name + " is another one"));
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
                                        "account "
                                                + name
                                                + (suspended ? " is" : " is not")
                                                + " suspended already")
                                : Verdict.Do.command(
                                        new MapCommand.SuspendAccount(name, suspended),
                                        "account "
                                                + name
                                                + (suspended
                                                        ? " can be used no more"
                                                        : " can be used again")));
    }

    private static Verdict onAccount(
            ClusterMap map,
            AccountName name,
            boolean configured,
            Function<ClusterAccount, Verdict> judge) {
        if (map.account(name).isEmpty()) {
            return new Verdict.NotFound(Refusal.of(Refusal.Code.ACCOUNT_UNKNOWN, name));
        }
        ClusterAccount account = map.account(name).get();
        if (configured && account.origin() == AccountOrigin.CONFIGURED) {
            return new Verdict.Refuse(Refusal.of(Refusal.Code.ACCOUNT_IS_CONFIGURED, name));
        }
        return judge.apply(account);
    }
}
