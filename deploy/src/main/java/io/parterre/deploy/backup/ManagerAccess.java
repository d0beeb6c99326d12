package io.parterre.deploy.backup;

import io.parterre.proto.admin.AdminServiceGrpc.AdminServiceBlockingStub;
import java.util.function.Function;

/** Calls the leading manager. Called by one thread at a time. */
@FunctionalInterface
public interface ManagerAccess {
    /** Returns the answer, or throws an exception for the operator. */
    <T> T ask(Function<AdminServiceBlockingStub, T> call);
}
