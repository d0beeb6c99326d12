package io.parterre.manager.map;

import java.util.HashMap;
import java.util.Map;

/** Dispatches each type of command to its case, in place of a switch over types. */
final class CommandCases {
    interface Case<C extends MapCommand> {
        <R> R answer(MapCommand.Cases<R> cases, C command);
    }

    static final Map<Class<?>, Case<?>> BY_TYPE = new HashMap<>();

    static {
        on(MapCommand.FoundCluster.class, MapCommand.Cases::found);
        on(MapCommand.RaiseLevel.class, MapCommand.Cases::raiseLevel);
        on(MapCommand.RegisterNode.class, MapCommand.Cases::register);
        on(MapCommand.EnsureAccount.class, MapCommand.Cases::ensure);
        on(MapCommand.LeaseObjectIds.class, MapCommand.Cases::lease);
        on(MapCommand.SetNodeState.class, MapCommand.Cases::setNodeState);
        on(MapCommand.BeginMove.class, MapCommand.Cases::beginMove);
        on(MapCommand.EndMove.class, MapCommand.Cases::endMove);
        on(MapCommand.UpdateRange.class, MapCommand.Cases::updateRange);
        on(MapCommand.ConfirmRange.class, MapCommand.Cases::confirmRange);
        on(MapCommand.CreateAccount.class, MapCommand.Cases::createAccount);
        on(MapCommand.RotateKey.class, MapCommand.Cases::rotateKey);
        on(MapCommand.SuspendAccount.class, MapCommand.Cases::suspendAccount);
        on(MapCommand.EncryptKeys.class, MapCommand.Cases::encryptKeys);
        on(MapCommand.TakeDisruptionLease.class, MapCommand.Cases::takeDisruptionLease);
        on(MapCommand.ReturnDisruptionLease.class, MapCommand.Cases::returnDisruptionLease);
        on(MapCommand.SetManagers.class, MapCommand.Cases::setManagers);
        on(MapCommand.BeginSplit.class, MapCommand.Cases::beginSplit);
        on(MapCommand.AbandonSplit.class, MapCommand.Cases::abandonSplit);
        on(MapCommand.EndSplit.class, MapCommand.Cases::endSplit);
        on(MapCommand.CompleteSplit.class, MapCommand.Cases::completeSplit);
        on(MapCommand.BeginMerge.class, MapCommand.Cases::beginMerge);
        on(MapCommand.AbandonMerge.class, MapCommand.Cases::abandonMerge);
        on(MapCommand.EndMerge.class, MapCommand.Cases::endMerge);
        on(MapCommand.JoinRanges.class, MapCommand.Cases::joinRanges);
        on(MapCommand.RecoverRange.class, MapCommand.Cases::recoverRange);
        on(MapCommand.EndRecovery.class, MapCommand.Cases::endRecovery);
        on(MapCommand.SetPolicy.class, MapCommand.Cases::setPolicy);
        on(MapCommand.NoteDecisions.class, MapCommand.Cases::note);
        on(MapCommand.Noted.class, MapCommand.Cases::noted);
    }

    private CommandCases() {}

    private static <C extends MapCommand> void on(Class<C> type, Case<C> answer) {
        BY_TYPE.put(type, answer);
    }

    @SuppressWarnings("unchecked") // on() puts a case under the very type that it takes.
    static <R> R answer(MapCommand.Cases<R> cases, MapCommand command) {
        return ((Case<MapCommand>) BY_TYPE.get(command.getClass())).answer(cases, command);
    }
}
