package io.parterre.frontend.service;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.auth.AccountDirectory;
import io.parterre.frontend.auth.Authentication;
import io.parterre.frontend.auth.Authenticator;
import io.parterre.frontend.auth.TokenKeys;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.http.HttpRefusal;
import io.parterre.frontend.store.StalenessNote;
import io.parterre.frontend.store.TableStore;
import io.parterre.frontend.table.ApiVersion;
import io.parterre.frontend.table.OperationAnswer;
import io.parterre.frontend.table.QueryOptions;
import io.parterre.frontend.table.Resource;
import io.parterre.frontend.table.ResourceLinks;
import io.parterre.frontend.table.ResourcePath;
import io.parterre.frontend.table.TableAddress;
import io.parterre.frontend.table.TableNames;
import io.parterre.frontend.table.Verb;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table service. Never blocks; safe for any thread.
 *
 * <p>Order of checks: host, address and verb; version; credentials; write to the secondary; what
 * the credentials permit; options, format and body; then the cluster: table, entity, condition.
 * Source: docs/protocol.md 10.5.
 */
public final class TableService implements HttpHandler {
    private static final Logger log = LoggerFactory.getLogger(TableService.class);

    private final Admission admission;
    private final TableOperations tables;
    private final EntityOperations entities;
    private final BatchOperations batches;
    private final SettingsOperations settings;
    private final CrossOrigin crossOrigin;
    private final InstantSource clock;
    private final TableServiceConfig config;
    private final Supplier<String> ids;

    /** A service in front of a cluster that knows no issuer of bearer tokens. */
    public TableService(
            AccountDirectory accounts,
            TableStore store,
            InstantSource clock,
            TableServiceConfig config,
            Supplier<String> ids) {
        this(accounts, TokenKeys.NONE, store, clock, config, ids);
    }

    /**
     * A service in front of a cluster.
     *
     * @param keys public keys of the issuer of bearer tokens
     * @param ids makes GUIDs: request ids and boundaries
     */
    public TableService(
            AccountDirectory accounts,
            TokenKeys keys,
            TableStore store,
            InstantSource clock,
            TableServiceConfig config,
            Supplier<String> ids) {
        TableLimits limits = config.limits();
        this.admission =
                new Admission(
                        accounts,
                        new Authenticator(accounts, config.bearer(), keys, limits.clockSkewMax()),
                        store);
        this.tables = new TableOperations(store, limits);
        this.entities = new EntityOperations(store, limits);
        this.batches = new BatchOperations(entities, limits.batch(), ids);
        CorsPolicies cors = new CorsPolicies(store, clock);
        this.settings = new SettingsOperations(store, cors, limits.settings());
        this.crossOrigin = new CrossOrigin(accounts, cors, config.hostSuffixes());
        this.clock = clock;
        this.config = config;
        this.ids = ids;
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpCall call) {
        Optional<String> origin = call.headers().first("Origin");
        return origin.isEmpty() || call.method().equals("OPTIONS")
                ? answer(call)
                : crossOrigin.told(call, origin.get(), answer(call));
    }

    private CompletionStage<HttpAnswer> answer(HttpCall call) {
        CallContext context = new CallContext(call.headers(), ids.get(), clock.instant());
        Optional<ApiVersion> version = Optional.empty();
        try {
            TableAddress address =
                    TableAddress.of(
                            call.secure(),
                            call.headers().first("Host"),
                            call.rawPath(),
                            config.hostSuffixes());
            Verb verb = Verb.of(call.method(), call.headers());
            QueryOptions options = QueryOptions.parse(call.rawQuery());
            version = Optional.of(version(call, options));
            if (verb == Verb.OPTIONS) {
                return crossOrigin.preflight(context, address, version.get());
            }
            Authentication authentication =
                    admission.authenticate(call, address, options, context.receivedAt());
            Claimed claimed = new Claimed(call, context, address, verb, options, version.get());
            return authentication instanceof Authentication.PolicyNeeded needed
                    ? withPolicies(claimed, needed)
                    : decided(claimed, authentication);
        } catch (StorageException refusal) {
            return CompletableFuture.completedStage(
                    TableAnswers.frontEnd(
                            context,
                            version.or(() -> Optional.of(context.versionOrNewest())),
                            refusal,
                            false));
        }
    }

    /** A call that is read but for its resource and its body; nobody vouches for it yet. */
    private record Claimed(
            HttpCall call,
            CallContext context,
            TableAddress address,
            Verb verb,
            QueryOptions options,
            ApiVersion version) {
        HttpAnswer refused(Failure failure) {
            return TableAnswers.frontEnd(context, Optional.of(version), failure.refusal(), false);
        }
    }

    private CompletionStage<HttpAnswer> decided(Claimed claimed, Authentication authentication) {
        if (!(authentication instanceof Authentication.Granted granted)) {
            return CompletableFuture.completedStage(
                    TableAnswers.denied(claimed.context(), (Authentication.Denied) authentication));
        }
        HttpCall call = claimed.call();
        if (!call.memory().chargeTo(granted.account().name())) {
            return CompletableFuture.completedStage(
                    TableAnswers.refused(claimed.context(), HttpRefusal.BUSY));
        }
        Operation operation =
                new Operation(
                        granted.account(),
                        granted.access(),
                        ResourceLinks.of(claimed.address()),
                        claimed.version(),
                        claimed.verb(),
                        new Resource.Service(),
                        claimed.options(),
                        call.headers(),
                        call.body(),
                        0,
                        call.body().length,
                        deadline(claimed),
                        claimed.address().secondary()
                                ? Optional.of(new StalenessNote())
                                : Optional.empty(),
                        call.memory());
        return authenticated(claimed.context(), claimed.address(), operation);
    }

    private Instant deadline(Claimed claimed) {
        return claimed.context().receivedAt().plus(claimed.options().timeout(config.timeoutMax()));
    }

    /** Decides by the policies of a table, once they are known. */
    private CompletionStage<HttpAnswer> withPolicies(
            Claimed claimed, Authentication.PolicyNeeded needed) {
        return admission
                .withPolicies(needed, deadline(claimed))
                .thenCompose(authentication -> decided(claimed, authentication))
                .exceptionally(thrown -> claimed.refused(logged(claimed.context(), thrown)));
    }

    private static ApiVersion version(HttpCall call, QueryOptions options) {
        return ApiVersion.parse(
                call.headers()
                        .first("x-ms-version")
                        .or(() -> options.nonEmpty("api-version"))
                        .or(() -> options.nonEmpty("sv")));
    }

    private CompletionStage<HttpAnswer> authenticated(
            CallContext context, TableAddress address, Operation operation) {
        if (operation.options().value("comp").isPresent()
                || operation.options().value("restype").isPresent()) {
            return set(context, address, operation);
        }
        return started(context, address, operation)
                .handle(
                        (answer, thrown) ->
                                TableAnswers.aged(
                                        operation,
                                        thrown == null
                                                ? TableAnswers.of(
                                                        context, operation.version(), answer)
                                                : failed(context, operation, thrown)));
    }

    /** An operation on settings: its errors are those of the front end, and XML. */
    private CompletionStage<HttpAnswer> set(
            CallContext context, TableAddress address, Operation operation) {
        CompletionStage<OperationAnswer> running;
        try {
            operation.authorizeSettings();
            Resource resource = ResourcePath.parse(address.resourcePath());
            running =
                    settings.run(operation.on(resource), address.secondary(), context.receivedAt());
        } catch (RuntimeException refusal) {
            running = CompletableFuture.failedStage(refusal);
        }
        return running.handle(
                (answer, thrown) ->
                        TableAnswers.aged(
                                operation,
                                thrown == null
                                        ? TableAnswers.ofSettings(
                                                context, operation.version(), answer)
                                        : notSet(context, operation, thrown)));
    }

    private HttpAnswer notSet(CallContext context, Operation operation, Throwable thrown) {
        return TableAnswers.frontEnd(
                context, Optional.of(operation.version()), logged(context, thrown).refusal(), true);
    }

    private CompletionStage<OperationAnswer> started(
            CallContext context, TableAddress address, Operation operation) {
        try {
            Resource resource = ResourcePath.parse(address.resourcePath());
            // Whether a batch writes is known by its body: one query is a batch too.
            boolean writes = operation.verb().isWrite() && !(resource instanceof Resource.Batch);
            if (address.secondary() && writes) {
                throw new StorageException(ErrorCode.INSUFFICIENT_ACCOUNT_PERMISSIONS);
            }
            operation.options().checkSystemOptions();
            return run(context, address, operation.on(resource));
        } catch (RuntimeException refusal) {
            return CompletableFuture.failedStage(refusal);
        }
    }

    private CompletionStage<OperationAnswer> run(
            CallContext context, TableAddress address, Operation operation) {
        operation.authorize();
        TableNames.checkInAddress(operation.resource());
        boolean batch = operation.resource() instanceof Resource.Batch;
        if (!batch && operation.bodyLength() > config.limits().entityBodyBytesMax()) {
            throw new StorageException(ErrorCode.REQUEST_BODY_TOO_LARGE);
        }
        return operation.resource().match(new Dispatch(context, address, operation));
    }

    private HttpAnswer failed(CallContext context, Operation operation, Throwable thrown) {
        return TableAnswers.refused(context, operation, logged(context, thrown));
    }

    private static Failure logged(CallContext context, Throwable thrown) {
        if (!Failure.isExpected(thrown)) {
            log.error("request failed requestId={}", context.requestId(), thrown);
        }
        return Failure.of(thrown);
    }

    /** Sends an operation to where its resource is served. */
    private final class Dispatch implements Resource.Cases<CompletionStage<OperationAnswer>> {
        private final CallContext context;
        private final TableAddress address;
        private final Operation operation;

        Dispatch(CallContext context, TableAddress address, Operation operation) {
            this.context = context;
            this.address = address;
            this.operation = operation;
        }

        @Override
        public CompletionStage<OperationAnswer> service() {
            throw new StorageException(ErrorCode.INVALID_URI);
        }

        @Override
        public CompletionStage<OperationAnswer> tables() {
            return tables.onAll(operation);
        }

        @Override
        public CompletionStage<OperationAnswer> table(Resource.Table table) {
            return tables.onOne(operation, table.name());
        }

        @Override
        public CompletionStage<OperationAnswer> entities(Resource.Entities set) {
            return entities.onAll(operation, set);
        }

        @Override
        public CompletionStage<OperationAnswer> entity(Resource.OneEntity one) {
            return entities.onOne(operation, one);
        }

        @Override
        public CompletionStage<OperationAnswer> below(Resource.BelowTable below) {
            return entities.below(operation, below);
        }

        @Override
        public CompletionStage<OperationAnswer> batch() {
            return batches.run(context, address, operation);
        }

        @Override
        public CompletionStage<OperationAnswer> metadata() {
            throw new StorageException(ErrorCode.NOT_IMPLEMENTED);
        }
    }
}
