package io.parterre.deploy.backup;

import io.parterre.proto.admin.AdminServiceGrpc.AdminServiceBlockingStub;
import java.util.function.Function;

/** Makes calls to the manager that leads. Called by one thread at a time. */
@FunctionalInterface
public interface ManagerAccess {
    /** Answers, or throws what is for the operator. */
    <T> T ask(Function<AdminServiceBlockingStub, T> call);
}
