/* SPDX-License-Identifier: Apache-2.0 */
/* Models with algebraic equations as engineers write them, see implicit_models.h. */
#include "support/implicit_models.h"

#include <stddef.h>

const struct implicit_model implicit_models[] = {
    {"driven_lag", 20,
     "parameter a=0.1, w=2\n"
     "state z=1\n"
     "algebraic u=1\n"
     "z' = u - a*z\n"
     "0 = u - cos(w*time)\n"},
    {"rlc", 10,
     "parameter R=1, L=0.5, C=0.2, V=5, w=3\n"
     "state i=0, vc=0\n"
     "algebraic vl=0, vr=0\n"
     "i' = vl/L\n"
     "vc' = i/C\n"
     "0 = vr - R*i\n"
     "0 = V*sin(w*time) - vr - vl - vc\n"},
    {"lotka_volterra", 15,
     "parameter a=1.5, b=1, c=3, d=1\n"
     "state x=1, y=1\n"
     "algebraic r=1, q=1\n"
     "x' = a*x - r\n"
     "y' = q - c*y\n"
     "0 = r - b*x*y\n"
     "0 = q - d*x*y\n"},
    {"pendulum_index_1", 5,
     "parameter g=9.81, L=1, m=1\n"
     "state x=0.8, y=-0.6, u=0, v=0\n"
     "algebraic T=1\n"
     "x' = u\n"
     "y' = v\n"
     "m*u' = -T*x\n"
     "m*v' = -T*y - m*g\n"
     "0 = m*(u^2 + v^2) - T*L^2 - m*g*y\n"},
    {"swing", 5,
     "parameter Pm=0.8, H=3.5, D=1, E=1.1, V=1, X=0.5, w0=314\n"
     "state delta=0.3, w=0\n"
     "algebraic Pe=0.8, I=1\n"
     "delta' = w0*w\n"
     "2*H*w' = Pm - Pe - D*w\n"
     "0 = Pe - E*V*sin(delta)/X\n"
     "0 = I^2*X^2 - (E^2 + V^2 - 2*E*V*cos(delta))\n"},
    {"diode", 0.06,
     "parameter R=1000, C=1e-5, Is=1e-12, Vt=0.026, f=50\n"
     "state v=0\n"
     "algebraic id=0, vd=0\n"
     "C*v' = id - v/R\n"
     "0 = id - Is*(exp(vd/Vt) - 1)\n"
     "0 = 5*sin(6.283185307*f*time) - vd - v - 10*id\n"},
    {"stirred_tank", 10,
     "parameter k0=7.2e10, E=8750, q=100, V=100, Tf=350, Tc=290, UA=5e4, H=5e4\n"
     "state c=0.9, T=330\n"
     "algebraic k=0.1, r=0.1\n"
     "c' = q/V*(1-c) - r\n"
     "T' = q/V*(Tf-T) + H/239*r + UA/(V*239)*(Tc-T)\n"
     "0 = k - k0*exp(-E/T)\n"
     "0 = r - k*c\n"},
    {"enzyme", 50,
     "parameter kf=10, kr=1, kc=2, Et=0.1\n"
     "state S=1, P=0\n"
     "algebraic ES=0.05, E=0.05\n"
     "S' = -kf*E*S + kr*ES\n"
     "P' = kc*ES\n"
     "0 = Et - E - ES\n"
     "0 = kf*E*S - (kr+kc)*ES\n"},
    {"titration", 80,
     "parameter Ka=1.8e-5, F=0.1, Cb=0.1, V0=10\n"
     "state na=1, V=10, nb=0\n"
     "algebraic H=1e-3 atol 1e-14\n"
     "na' = 0\n"
     "V' = F\n"
     "nb' = F*Cb\n"
     "0 = H + nb/V - na/V*Ka/(Ka+H) - 1e-14/H\n"},
    {"chemostat", 40,
     "parameter mum=0.5, Ks=0.2, Y=0.5, D=0.2, Sf=10\n"
     "state X=0.5, S=5\n"
     "algebraic mu=0.4\n"
     "X' = (mu-D)*X\n"
     "S' = D*(Sf-S) - mu*X/Y\n"
     "0 = mu*(Ks+S+S^2/20) - mum*S\n"},
    {"crank", 15,
     "parameter r=1, l=2.5, J=1, tq=0.5, m=0.3, c=0.1\n"
     "state th=0.2, w=1\n"
     "algebraic ph=0.08, x=3\n"
     "th' = w\n"
     "J*w' = tq - c*w - m*x*sin(th)\n"
     "0 = r*sin(th) - l*sin(ph)\n"
     "0 = x - r*cos(th) - l*cos(ph)\n"},
    {"tanks", 20,
     "parameter k1=0.5, k2=0.4, q=0.2, A=1\n"
     "state h1=1, h2=0.5\n"
     "algebraic f1=0.3, f2=0.3\n"
     "A*h1' = q - f1\n"
     "A*h2' = f1 - f2\n"
     "0 = f1^2 - k1^2*(h1-h2)\n"
     "0 = f2 - k2*sqrt(h2)\n"},
    {"flash", 20,
     "parameter F=1, z=0.5, a=2.5, V=0.4, M=2\n"
     "state x=0.5\n"
     "algebraic y=0.7\n"
     "M*x' = F*z - V*y - (F-V)*x\n"
     "0 = y*(1 + (a-1)*x) - a*x\n"},
    {"van_der_pol_2", 30,
     "parameter mu=2\n"
     "state x=2, y=0\n"
     "algebraic f=0\n"
     "x' = y\n"
     "y' = f - x\n"
     "0 = f - mu*(1-x^2)*y\n"},
    {"van_der_pol_100", 200,
     "parameter mu=100\n"
     "state x=2, y=0\n"
     "algebraic f=0\n"
     "x' = y\n"
     "y' = f - x\n"
     "0 = f - mu*(1-x^2)*y\n"},
    {"thermostat", 40,
     "parameter Ta=5, P=8, k=0.2, lo=18, hi=22\n"
     "state T=15, z=1\n"
     "algebraic Q=8\n"
     "T' = Q - k*(T-Ta)\n"
     "z' = 20*((if T < lo then 1 else if T > hi then 0 else z) - z)\n"
     "0 = Q - (if z > 0.5 then P else 0)\n"},
    {"weir", 20,
     "parameter q=1, k=0.7, c=1\n"
     "state h=0.2\n"
     "algebraic f=0\n"
     "h' = q*(1+0.5*sin(time)) - f\n"
     "0 = f - (if h > c then k*(h-c)^1.5 else 0) - 0.3*h\n"},
    {"heat_exchanger", 5,
     "parameter U=2, w=1, T0=20, Th=80\n"
     "state T[1..10] = 20\n"
     "algebraic q[1..10] = 0\n"
     "0 = q[i] - U*(Th - T[i]) for i in 1..10\n"
     "T[1]' = w*(T0*(1+0.2*sin(3*time)) - T[1]) + q[1]\n"
     "T[i]' = w*(T[i-1]-T[i]) + q[i] for i in 2..10\n"},
    {"motor", 10,
     "parameter R=1, L=0.01, Kt=0.05, J=0.001, b=0.0001, V=12\n"
     "state i=0, w=0\n"
     "algebraic e=0, tq=0\n"
     "L*i' = V*sin(2*time) - R*i - e\n"
     "J*w' = tq - b*w\n"
     "0 = e - Kt*w\n"
     "0 = tq - Kt*i\n"},
    {"robertson", 4e4,
     "parameter p1=0.04, p2=1e4, p3=3e7\n"
     "state y1=1, y2=0 atol 1e-13\n"
     "algebraic y3=0\n"
     "y1' = -p1*y1 + p2*y2*y3\n"
     "y2' = p1*y1 - p2*y2*y3 - p3*y2^2\n"
     "0 = y1 + y2 + y3 - 1\n"},
    {"duffing", 20,
     "parameter d=0.2, a=-1, b=1, g=0.3, w=1.2\n"
     "state x=0.5, v=0\n"
     "algebraic F=0\n"
     "x' = v\n"
     "v' = -d*v - F\n"
     "0 = F - a*x - b*x^3 - g*cos(w*time)\n"},
    {"gene", 30,
     "parameter a=5, n=3, b=0.5, g=1\n"
     "state m=0.1, p=0.2\n"
     "algebraic h=1\n"
     "m' = a*h - g*m\n"
     "p' = m - b*p\n"
     "0 = h*(1 + p^n) - 1\n"},
    {"goodwin", 100,
     "parameter k1=1, k2=0.1, n=12, d=0.1\n"
     "state x=0.1, y=0.2, z=1.5\n"
     "algebraic u=0.5\n"
     "x' = u - d*x\n"
     "y' = k1*x - d*y\n"
     "z' = k2*y - d*z\n"
     "0 = u*(1+z^n) - 1\n"},
    {"capacitors", 3,
     "parameter C1=1e-3, C2=2e-3, R1=100, R2=200, w=10\n"
     "state v1=0, v2=0\n"
     "C1*(v1' - v2') = (sin(w*time) - v1)/R1\n"
     "C2*v2' + C1*(v2' - v1') = -v2/R2\n"},
    {"exothermic", 10,
     "parameter Vm=2, Km=0.5, Kp=0.3, T0=298\n"
     "state C=2, T=298\n"
     "algebraic r=1, k=1\n"
     "C' = -r\n"
     "T' = 20*r - 0.1*(T-T0)\n"
     "0 = r*(Km + C) - Vm*k*C\n"
     "0 = k - exp(-3000*(1/T - 1/T0))\n"},
    {NULL, 0, NULL}};
