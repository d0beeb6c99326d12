package io.parterre.raftlink;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.ratis.server.RaftServer;

/** Makes the proxies through which the network calls a Raft server. Stateless. */
final class CalledServer {
    private CalledServer() {}

    /** Returns a server whose calls all go to the handler. */
    static RaftServer by(InvocationHandler handler) {
        return (RaftServer)
                Proxy.newProxyInstance(
                        RaftServer.class.getClassLoader(),
                        new Class<?>[] {RaftServer.class},
                        handler);
    }

    /** Returns the first argument of a call, which is a member's request; null if there is none. */
    static Object request(Object[] arguments) {
        return arguments == null || arguments.length == 0 ? null : arguments[0];
    }

    /**
     * Passes a call on.
     *
     * @throws Throwable what the called method throws, as it is
     */
    static Object invoke(Object called, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(called, arguments);
        } catch (InvocationTargetException failure) {
            throw failure.getCause();
        }
    }
}
